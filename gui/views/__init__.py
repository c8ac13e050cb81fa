"""Views: the tabs at the centre of the window, a folder each; `all_views` lists them."""
