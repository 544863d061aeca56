"""Files of users: what settings name, one reader of rows, and a loader per kind, whose rows hold data or a reason."""
