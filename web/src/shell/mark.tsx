/** The product's sign: a spine with a branch that rejoins. */
export function Mark() {
  return (
    <svg aria-hidden="true" width="18" height="18" viewBox="0 0 18 18" fill="none" strokeWidth="1.6">
      <path d="M6 2.5v13" stroke="var(--node)" />
      <path d="M6 3c0 4 6.5 2.5 6.5 6S6 11.500 6 15" stroke="var(--mind)" />
      <circle cx="6" cy="3" r="2.1" fill="var(--done)" />
      <circle cx="12.500" cy="9" r="2.100" fill="var(--mind)" />
      <circle cx="6" cy="15" r="2.1" fill="var(--done)" />
    </svg>
  );
}
