"""Pictures that other sites show beside a link: cards as PNG, badges as SVG."""
