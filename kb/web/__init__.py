"""The server: SPARQL 1.1 Protocol, linked data, their JSON twins, and pages, on one port.

``kb.web.app.create_app`` makes the application, ``kb.web.serving.serve`` runs it. Queries run in
worker processes that only read, and that are killed when they take too long (``workers``).
"""
