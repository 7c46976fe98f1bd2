"""The server: SPARQL 1.1 Protocol, linked data, their JSON twins, and pages, on one port."""
