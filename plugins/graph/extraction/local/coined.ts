/**
 * Tells a made-up name by its capitals: "EtherCAT", "KlimaPro", "Shimano GRX". People's names have a capital within a word after a short
 * beginning only ("McAllister", "DeShawn"), and what stands in capitals alone comes first ("AJ Styles").
 */
export function isCoined(name: string): boolean {
  const [first = '', ...others] = name.split(' ')
  return [first, ...others].some(word => INNER_CAPITALS.test(word)) || (/\p{Ll}/u.test(first) && others.some(isCode))
}

const INNER_CAPITALS = /\p{L}{3}\p{Ll}\p{Lu}|\p{L}\p{Ll}\p{Lu}{2}/u

/** A longer word in capitals may be a surname: "Jean DUPONT". */
function isCode(word: string): boolean {
  return /^\p{Lu}{2,4}$/u.test(word)
}
