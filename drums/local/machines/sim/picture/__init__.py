"""How a simulated screen looks: drawing and PNG files. It reads scenes and files and changes neither."""
