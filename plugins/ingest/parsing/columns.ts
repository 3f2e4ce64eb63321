/** Column names are short, most of them there, no numbers and no sentences, and none of them twice. */
export function looksLikeNames(first: readonly string[]): boolean {
  const filled = first.filter(cell => cell.length > 0)
  const isName = (cell: string) => cell.length <= 80 && !/^[\d\s.,:;/%€$£+-]+$/.test(cell) && !/[.!?]$/.test(cell)
  return (
    filled.length >= first.length * 0.6 &&
    filled.length > 0 &&
    filled.every(isName) &&
    new Set(filled).size === filled.length
  )
}
