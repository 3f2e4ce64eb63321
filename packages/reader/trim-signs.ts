/**
 * Removes signs from both ends of a text, in linear time. A pattern such as `/\p{P}+$/u` takes quadratic time, because it reads a run within
 * the text again from each of its characters.
 * @param leading matches one character, and so does `trailing`; neither is global
 */
export function trimSigns(text: string, leading: RegExp, trailing = leading): string {
  const rest = trimEndSigns(text, trailing)
  let start = 0
  while (start < rest.length) {
    const sign = String.fromCodePoint(rest.codePointAt(start) ?? 0)
    if (!leading.test(sign)) break
    start += sign.length
  }
  return rest.slice(start)
}

/** Removes signs from the end of a text, as {@link trimSigns} does. */
export function trimEndSigns(text: string, trailing: RegExp): string {
  let end = text.length
  while (end > 0) {
    const isPair = (text.codePointAt(end - 2) ?? 0) > 0xffff
    const start = end - (isPair ? 2 : 1)
    if (!trailing.test(text.slice(start, end))) break
    end = start
  }
  return text.slice(0, end)
}
