const two = (n: number) => String(n).padStart(2, '0');

/** A moment to the minute, in the reader's time zone. */
export const moment = (at: number): string => {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};
