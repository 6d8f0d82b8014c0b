/** The product's sign: a spine with a branch that rejoins. */
export function Mark() {
  return (
    <svg aria-hidden="true" width="18" height="18" viewBox="0 0 18 18" fill="none" strokeWidth="1.6">
      <path d="M5 3v12" stroke="var(--node)" strokeDasharray="1.5 2" />
      <path d="M5 3C5 7 12 5 12 9S5 11 5 15" stroke="var(--mind)" />
      <circle cx="5" cy="2.8" r="2.2" fill="var(--done)" />
      <circle cx="12" cy="9" r="2.2" fill="var(--mind)" />
      <circle cx="5" cy="15.2" r="2.2" fill="var(--done)" />
    </svg>
  );
}
