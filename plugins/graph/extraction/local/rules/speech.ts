/** A verb before or behind what somebody says. */
export const TELLS =
  '(?:said|says|say|told (?:me|us|him|her|them|<M>)|tells (?:me|us)|wrote|writes|texted(?: me)?|asked(?: me)?|replied|answered|added|shouted|explained|sagte|dijo|dit)'

/** Follows what somebody named before says. */
export const TOLD_BEHIND = /^ (?:, )?(?:he|she|they) (?:said|says|told|wrote)/
