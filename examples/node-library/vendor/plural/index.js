/** The plural of an English word, well enough for a sentence. */
export function plural(word) {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
