"""A scene taught from regions: classes, a method, its accuracy, and where to answer next."""
