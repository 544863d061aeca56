"""Question suites as JSON: reading, validating and writing them."""
