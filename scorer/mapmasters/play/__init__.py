"""What players do at the table besides laying and drawing."""
