"""A client library for accessing Drums"""
