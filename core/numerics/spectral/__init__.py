"""Eigenvectors of graphs and what is read off them: numbers of groups, embeddings, cuts."""
