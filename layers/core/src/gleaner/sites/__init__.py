"""What spans more than one page: where a listing goes on, and which addresses a site has."""
