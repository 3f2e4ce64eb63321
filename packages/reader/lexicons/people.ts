/** Nouns for a person without a known name. */
export const PERSON_NOUNS: Readonly<Record<string, readonly string[]>> = {
  en: ['the user'],
  de: ['der Nutzer', 'der Benutzer', 'die Person'],
  es: ['el usuario', 'la persona'],
  fr: ["l'utilisateur"],
}

/** Words that stand where a name is asked for and are nobody's. */
export const PLACEHOLDER_NAMES = 'default user users me test admin anonymous guest unknown nobody'.split(' ')
