CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL,
  cents INTEGER NOT NULL CHECK (cents > 0)
);
