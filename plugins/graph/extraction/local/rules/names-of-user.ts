/** Patterns by which a sentence says how the user is called; the second is true of names of people alone. */
export const STATED_NAMES = [
  "(?:my (?:full |real |first )?name is|my name 's|call me|people call me|mein name ist|ich heiße|me llamo|mi nombre es|m' appelle|mon nom est|the user 's name is|user 's name is) (?<o><M>)",
  "(?:i 'm|i am|ich bin|soy|je suis|this is) (?<o><M>)(?= (?:,|\\.|!|and|und|y|et|from|$))",
]
