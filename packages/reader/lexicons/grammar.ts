/** Words of grammar, which this package alone reads. README.md says what each list is for. */
import abbreviations from './abbreviations.json' with { type: 'json' }
import clitics from './clitics.json' with { type: 'json' }
import contractions from './contractions.json' with { type: 'json' }
import contradictions from './contradictions.json' with { type: 'json' }
import denials from './denials.json' with { type: 'json' }
import englishVerbs from './english-verbs.json' with { type: 'json' }
import factuality from './factuality.json' with { type: 'json' }
import firstPerson from './first-person.json' with { type: 'json' }
import frequentWords from './frequent-words.json' with { type: 'json' }
import functionWords from './function-words.json' with { type: 'json' }
import type { Asked, ByLanguage, Words } from './index.ts'
import numbers from './numbers.json' with { type: 'json' }
import past from './past.json' with { type: 'json' }
import pronouns from './pronouns.json' with { type: 'json' }
import questions from './questions.json' with { type: 'json' }
import unreal from './unreal.json' with { type: 'json' }

export const ABBREVIATIONS: ByLanguage = abbreviations.ABBREVIATIONS
export const ABBREVIATIONS_OF_NUMBERS: ByLanguage = abbreviations.ABBREVIATIONS_OF_NUMBERS
export const ABBREVIATIONS_WITHIN: ByLanguage = abbreviations.ABBREVIATIONS_WITHIN
export const ELIDED_WORDS: ByLanguage = clitics.ELIDED_WORDS
export const WHOLE_CONTRACTIONS: Readonly<Record<string, string>> = contractions.WHOLE_CONTRACTIONS
export const CONTRACTED_ENDINGS: Readonly<Record<string, string>> = contractions.CONTRACTED_ENDINGS
export const AUXILIARIES: Words = contractions.AUXILIARIES
export const CONTRACTING: Words = contractions.CONTRACTING
export const CONTRACTING_S: Words = contractions.CONTRACTING_S
export const AFTER_IS: Words = contractions.AFTER_IS
export const SINGLE_VALUES: ByLanguage = contradictions.SINGLE_VALUES
export const VALUE_OWNERS: Words = contradictions.VALUE_OWNERS
export const VALUE_ADJECTIVES: Words = contradictions.VALUE_ADJECTIVES
export const AGED: Words = contradictions.AGED
export const TODAY_ENDINGS: Words = contradictions.TODAY_ENDINGS
export const DENIAL_BLURRING_WORDS: Words = contradictions.DENIAL_BLURRING_WORDS
export const VERB_DENIALS: ByLanguage = denials.VERB_DENIALS
export const DENYING_PREPOSITIONS: ByLanguage = denials.DENYING_PREPOSITIONS
export const DENYING_PRONOUNS: ByLanguage = denials.DENYING_PRONOUNS
export const DENYING_PARTS = new RegExp(denials.DENYING_PARTS, 'iu')
export const DENYING_BEFORE_VERB: ByLanguage = denials.DENYING_BEFORE_VERB
export const DENYING_SYLLABLES = new RegExp(denials.DENYING_SYLLABLES, 'u')
export const ENDINGS: ByLanguage = denials.ENDINGS
export const EXCEPTIONS: ByLanguage = denials.EXCEPTIONS
export const EXCLUDING: ByLanguage = denials.EXCLUDING
export const FORMERLY: ByLanguage = denials.FORMERLY
export const ADVERBS: Words = englishVerbs.ADVERBS
export const UNCHANGED_VERBS: Words = englishVerbs.UNCHANGED_VERBS
export const BASE_VERBS_IN_ED: Words = englishVerbs.BASE_VERBS_IN_ED
export const BASE_VERBS: Words = englishVerbs.BASE_VERBS
export const PAST_VERBS: Words = englishVerbs.PAST_VERBS
export const VERBS_OF_OTHERS: Words = englishVerbs.VERBS_OF_OTHERS
export const VERBS_AFTER_WOULD: Words = englishVerbs.VERBS_AFTER_WOULD
export const FIRST_PERSON_OF_ONE: ByLanguage = firstPerson.FIRST_PERSON_OF_ONE
export const FIRST_PERSON_KEEPING: Words = firstPerson.FIRST_PERSON_KEEPING
export const FREQUENT_WORDS: ByLanguage = frequentWords.FREQUENT_WORDS
export const FUNCTION_WORDS: ByLanguage = functionWords.FUNCTION_WORDS
export const NUMBERS: ByLanguage = numbers.NUMBERS
export const ROUGH_QUANTITIES: ByLanguage = numbers.ROUGH_QUANTITIES
export const PAST_WORDINGS: ByLanguage = past.PAST_WORDINGS
export const PAST_ENDINGS: ByLanguage = past.PAST_ENDINGS
export const UNCLEAR_PRONOUNS: Words = pronouns.UNCLEAR_PRONOUNS
export const SEVERAL_PEOPLE: Words = pronouns.SEVERAL_PEOPLE
export const JOINING_WORDS: Words = pronouns.JOINING_WORDS
export const QUESTION_PHRASES: Readonly<Record<string, Readonly<Partial<Record<Asked, Words>>>>> =
  questions.QUESTION_PHRASES
export const QUESTION_VERBS: ByLanguage = questions.QUESTION_VERBS
export const INVERSIONS: ByLanguage = questions.INVERSIONS
export const AFTER_QUESTION_WORDS = questions.AFTER_QUESTION_WORDS
export const AFTER_CONJUNCTIONS: ByLanguage = questions.AFTER_CONJUNCTIONS
export const ASKING_ALONE: ByLanguage = questions.ASKING_ALONE
export const ALSO_CONJUNCTIONS: ByLanguage = questions.ALSO_CONJUNCTIONS
export const QUESTION_SIGN = new RegExp(questions.QUESTION_SIGN, 'u')
export const UNREAL_WORDINGS: ByLanguage = unreal.UNREAL_WORDINGS
export const VOUCHING: ByLanguage = factuality.VOUCHING
export const SUPPOSING: ByLanguage = factuality.SUPPOSING
export const HEARSAY: ByLanguage = factuality.HEARSAY
export const HEDGES: ByLanguage = factuality.HEDGES
export const CONDITIONS: ByLanguage = factuality.CONDITIONS
export const FICTIONS: ByLanguage = factuality.FICTIONS
export const INTO_FICTION: ByLanguage = factuality.INTO_FICTION
export const THAT: ByLanguage = factuality.THAT
export const CLAUSE_SUBJECTS: Words = factuality.CLAUSE_SUBJECTS
export const CLAUSE_OWNERS: Words = factuality.CLAUSE_OWNERS
export const FINITE_VERBS: Words = factuality.FINITE_VERBS
export const INVERTED_VERBS: Words = factuality.INVERTED_VERBS
export const ASKED_TO_SUPPOSE: Words = factuality.ASKED_TO_SUPPOSE
export const DENYING_WORDS: Words = factuality.DENYING_WORDS
export const OWN_VIEWS: Words = factuality.OWN_VIEWS
export const JOINING_CLAUSES: Words = factuality.JOINING_CLAUSES
export const PEOPLE_OF_FICTION: Words = factuality.PEOPLE_OF_FICTION
