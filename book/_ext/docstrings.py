"""Leave out of the library's page what Python itself says about a NamedTuple's fields."""


def skip_fields(app, what, name, member, skip, options):
    doc = getattr(member, "__doc__", None) or ""
    return True if doc.startswith("Alias for field number") else None


def setup(app):
    app.connect("autodoc-skip-member", skip_fields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
