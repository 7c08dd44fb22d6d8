{ "dimensions": [3, 3], "pieces": ["man"] }
