/** The names by which somebody may be called in short: the first or the last words of the whole name, as "bram" or "de wit" of "bram de wit". */
export function shortNamesOf(normalName: string): string[] {
  const words = normalName.split(' ')
  return words.slice(1).flatMap((_, n) => [words.slice(0, n + 1).join(' '), words.slice(n + 1).join(' ')])
}
