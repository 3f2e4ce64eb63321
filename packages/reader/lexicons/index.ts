/** Words and wordings as data: README.md says what each list is for. Code outside of this package takes them from here alone. */
import aroundNames from './around-names.json' with { type: 'json' }
import clitics from './clitics.json' with { type: 'json' }
import concurrent from './concurrent.json' with { type: 'json' }
import courtesies from './courtesies.json' with { type: 'json' }
import dateBounds from './date-bounds.json' with { type: 'json' }
import days from './days.json' with { type: 'json' }
import denials from './denials.json' with { type: 'json' }
import factDates from './fact-dates.json' with { type: 'json' }
import firstPerson from './first-person.json' with { type: 'json' }
import informalSpellings from './informal-spellings.json' with { type: 'json' }
import inquiries from './inquiries.json' with { type: 'json' }
import kin from './kin.json' with { type: 'json' }
import letterCase from './letter-case.json' with { type: 'json' }
import nameParts from './name-parts.json' with { type: 'json' }
import nounPhrases from './noun-phrases.json' with { type: 'json' }
import pageNumbers from './page-numbers.json' with { type: 'json' }
import people from './people.json' with { type: 'json' }
import profileProperties from './profile-properties.json' with { type: 'json' }
import questions from './questions.json' with { type: 'json' }
import references from './references.json' with { type: 'json' }
import relationshipNouns from './relationship-nouns.json' with { type: 'json' }
import relationshipVerbs from './relationship-verbs.json' with { type: 'json' }
import sentenceOpeners from './sentence-openers.json' with { type: 'json' }
import smallTalk from './small-talk.json' with { type: 'json' }
import speechActs from './speech-acts.json' with { type: 'json' }
import standing from './standing.json' with { type: 'json' }
import statementCategories from './statement-categories.json' with { type: 'json' }
import statements from './statements.json' with { type: 'json' }
import subjects from './subjects.json' with { type: 'json' }
import turningWords from './turning-words.json' with { type: 'json' }
import wordsNotNames from './words-not-names.json' with { type: 'json' }

export type Words = readonly string[]
/** Words by the tags of languages. */
export type ByLanguage = Readonly<Record<string, Words>>
/** Sources of patterns by language, in the order in which they are tried. They match without regard to case, and in linear time. */
export type Wordings = ByLanguage

/** A point in time that words set for a span. */
export type DateBound = 'before' | 'until' | 'since' | 'after'
/** A unit in which texts count time. */
export type SpanUnit = keyof typeof dateBounds.SPAN_UNITS
/** Nouns by the relation of the named one to whom he is of. */
export type Kin = keyof typeof kin.KIN_NOUNS
/** Answers that question words ask for. */
export const ASKED = ['who', 'where', 'when', 'duration', 'quantity', 'what', 'why', 'how'] as const
export type Asked = (typeof ASKED)[number]
type Subjects = keyof typeof statementCategories.SUBJECT_WORDINGS

export const NOUNS_OF_NAMES = aroundNames.NOUNS_OF_NAMES
export const NAMING_LINKS: Words = aroundNames.NAMING_LINKS
export const NOUN_PHRASE_ENDS: Words = aroundNames.NOUN_PHRASE_ENDS
export const NOUN_FOLLOWERS: Words = aroundNames.NOUN_FOLLOWERS
export const DEFINITE_DETERMINERS: Words = aroundNames.DEFINITE_DETERMINERS
export const DETERMINERS: Words = aroundNames.DETERMINERS
export const ADDRESSING_VERBS: Words = aroundNames.ADDRESSING_VERBS
export const TALKING_VERBS: Words = aroundNames.TALKING_VERBS
export const BELONGINGS_OF_PEOPLE: Words = aroundNames.BELONGINGS_OF_PEOPLE
export const MAKING_VERBS: Words = aroundNames.MAKING_VERBS
export const COMPANY_ACTS: Words = aroundNames.COMPANY_ACTS
export const PARTS_OF_COMPANIES: Words = aroundNames.PARTS_OF_COMPANIES
export const OWNER_LINKS: Words = aroundNames.OWNER_LINKS
export const ORGANIZATION_VERBS: Words = aroundNames.ORGANIZATION_VERBS
export const PERSON_VERBS: Words = aroundNames.PERSON_VERBS
export const CLAUSE_BEGINNINGS: Words = aroundNames.CLAUSE_BEGINNINGS
export const NAME_LINKS: Words = aroundNames.NAME_LINKS
export const NOTE_BEGINNINGS: Words = aroundNames.NOTE_BEGINNINGS
export const KIN_BEFORE_NAMES = aroundNames.KIN_BEFORE_NAMES
export const KIN_OWNERS: Words = aroundNames.KIN_OWNERS
export const CHRISTENED_NOUNS: Words = aroundNames.CHRISTENED_NOUNS
export const LOCATIVE_PREPOSITIONS: Words = aroundNames.LOCATIVE_PREPOSITIONS
export const MOVING_VERBS: Words = aroundNames.MOVING_VERBS
export const CHANGING_VERBS: Words = aroundNames.CHANGING_VERBS
export const WORKING_WORDS: Words = aroundNames.WORKING_WORDS
export const BEFORE_GERMAN_NAMES: Words = aroundNames.BEFORE_GERMAN_NAMES
export const BEHIND_GERMAN_NAMES: Words = aroundNames.BEHIND_GERMAN_NAMES
export const BEGINNINGS_OF_GERMAN_SENTENCES: Words = aroundNames.BEGINNINGS_OF_GERMAN_SENTENCES
export const BEFORE_LISTED_NAMES: Words = aroundNames.BEFORE_LISTED_NAMES
export const FILLERS_BEFORE_NAMES: ByLanguage = aroundNames.FILLERS_BEFORE_NAMES
export const CLITIC_ENDINGS: Words = clitics.CLITIC_ENDINGS
export const BESIDE: ByLanguage = concurrent.BESIDE
export const SURELY_BESIDE: ByLanguage = concurrent.SURELY_BESIDE
export const CHANGES: ByLanguage = concurrent.CHANGES
export const OPENING_COURTESIES: Words = courtesies.OPENING_COURTESIES
export const CLOSING_COURTESIES: Words = courtesies.CLOSING_COURTESIES
export const BEFORE_VERB: Words = courtesies.BEFORE_VERB
export const DATE_BOUNDS: Readonly<Record<string, Readonly<Record<DateBound, Words>>>> = dateBounds.DATE_BOUNDS
export const DATE_ARTICLES: ByLanguage = dateBounds.DATE_ARTICLES
export const BETWEEN_DATES: ByLanguage = dateBounds.BETWEEN_DATES
export const AND_BETWEEN_DATES: ByLanguage = dateBounds.AND_BETWEEN_DATES
export const RECENTLY: ByLanguage = dateBounds.RECENTLY
export const THIS_SPAN: ByLanguage = dateBounds.THIS_SPAN
export const LAST_SPANS: ByLanguage = dateBounds.LAST_SPANS
export const PAST_SPAN: ByLanguage = dateBounds.PAST_SPAN
export const LAST_SPAN: ByLanguage = dateBounds.LAST_SPAN
export const NEXT_SPAN: ByLanguage = dateBounds.NEXT_SPAN
export const GONE_BY: ByLanguage = dateBounds.GONE_BY
export const FEW_SPANS: ByLanguage = dateBounds.FEW_SPANS
export const SPAN_COUNTS: ByLanguage = dateBounds.SPAN_COUNTS
export const SPAN_UNITS: Readonly<Record<SpanUnit, ByLanguage>> = dateBounds.SPAN_UNITS
export const DAYS: ByLanguage = days.DAYS
export const POINTING_WORDS: ByLanguage = days.POINTING_WORDS
export const TIME_SPANS: ByLanguage = days.TIME_SPANS
export const UNSPACED_DAYS = new RegExp(days.UNSPACED_DAYS, 'u')
export const NO_LONGER: ByLanguage = denials.NO_LONGER
export const FACT_DATES = factDates.FACT_DATES
export const DATE_PARTS = factDates.DATE_PARTS
export const LEAVING_VERBS: Words = factDates.LEAVING_VERBS
export const RELATIVE_DATES: ByLanguage = factDates.RELATIVE_DATES
export const YEAR_WORDS = new RegExp(factDates.YEAR_WORDS, 'u')
export const FIRST_PERSON: ByLanguage = firstPerson.FIRST_PERSON
export const UNSPACED_FIRST_PERSON = new RegExp(firstPerson.UNSPACED_FIRST_PERSON, 'u')
export const INFORMAL_SPELLINGS: ByLanguage = informalSpellings.INFORMAL_SPELLINGS
export const JOINED_SPELLINGS = informalSpellings.JOINED_SPELLINGS
export const TIME_PREFIXES: Words = informalSpellings.TIME_PREFIXES
export const YES_NO_BEGINNINGS: ByLanguage = inquiries.YES_NO_BEGINNINGS
export const ABOUT_WORDINGS: ByLanguage = inquiries.ABOUT_WORDINGS
export const ABOUT_PREPOSITIONS: Words = inquiries.ABOUT_PREPOSITIONS
export const CONNECTION_WORDINGS: ByLanguage = inquiries.CONNECTION_WORDINGS
export const ASKER_WORDINGS: ByLanguage = inquiries.ASKER_WORDINGS
export const ASKER_VERBS: Words = inquiries.ASKER_VERBS
export const BEFORE_SPANISH_NOUNS: Words = inquiries.BEFORE_SPANISH_NOUNS
export const TELLING_WORDINGS: ByLanguage = inquiries.TELLING_WORDINGS
export const OWNER_WORDINGS: ByLanguage = inquiries.OWNER_WORDINGS
export const OBJECT_QUESTION_WORDS: ByLanguage = inquiries.OBJECT_QUESTION_WORDS
export const OPEN_PREPOSITIONS: Words = inquiries.OPEN_PREPOSITIONS
export const FORMER_ADJECTIVES: ByLanguage = inquiries.FORMER_ADJECTIVES
export const EARLIER_WORDINGS: ByLanguage = inquiries.EARLIER_WORDINGS
export const PAST_AUXILIARIES: Words = inquiries.PAST_AUXILIARIES
export const PERFECT_AUXILIARIES: Words = inquiries.PERFECT_AUXILIARIES
export const PAST_QUESTIONS: ByLanguage = inquiries.PAST_QUESTIONS
export const PERFECT_QUESTIONS: ByLanguage = inquiries.PERFECT_QUESTIONS
export const BECOMING_WORDINGS: ByLanguage = inquiries.BECOMING_WORDINGS
export const NOW_WORDINGS: ByLanguage = inquiries.NOW_WORDINGS
export const ORDER_WORDINGS = inquiries.ORDER_WORDINGS
export const QUESTION_FILLERS: ByLanguage = inquiries.QUESTION_FILLERS
export const KIN_NOUNS: Readonly<Record<Kin, ByLanguage>> = kin.KIN_NOUNS
export const SECRETS: ByLanguage = letterCase.SECRETS
export const ALSO_NAMES: Words = letterCase.ALSO_NAMES
export const SIZED_UNITS: Words = letterCase.SIZED_UNITS
export const CAPITAL_NOUN_LANGUAGES: Words = letterCase.CAPITAL_NOUN_LANGUAGES
export const ORGANIZATION_TAILS: Words = nameParts.ORGANIZATION_TAILS
export const ORGANIZATION_HEADS: Words = nameParts.ORGANIZATION_HEADS
export const PARTNER_TAILS: Words = nameParts.PARTNER_TAILS
export const LEGAL_FORMS: Words = nameParts.LEGAL_FORMS
export const PLACE_HEADS: Words = nameParts.PLACE_HEADS
export const PLACE_TAILS: Words = nameParts.PLACE_TAILS
export const THING_HEADS: Words = nameParts.THING_HEADS
export const NAME_PARTICLES: Words = nameParts.NAME_PARTICLES
export const INNER_NAME_WORDS: Words = nameParts.INNER_NAME_WORDS
export const TITLES: Words = nameParts.TITLES
export const MONTHS_AS_NAMES: Words = nameParts.MONTHS_AS_NAMES
export const NAME_LEADS: ByLanguage = nameParts.NAME_LEADS
export const KINDS_BEHIND_NAMES = nameParts.KINDS_BEHIND_NAMES
export const PLACE_LABELS: Words = nameParts.PLACE_LABELS
export const STREETS = nameParts.STREETS
export const NOUN_OPENERS: ByLanguage = nounPhrases.NOUN_OPENERS
export const POSSESSIVES: ByLanguage = nounPhrases.POSSESSIVES
export const NOUN_STOPS: ByLanguage = nounPhrases.NOUN_STOPS
export const TIME_DETERMINERS: Words = nounPhrases.TIME_DETERMINERS
export const TIME_NOUNS: Words = nounPhrases.TIME_NOUNS
export const FAN_NOUNS: Words = nounPhrases.FAN_NOUNS
export const NOUN_LINKS: Words = nounPhrases.NOUN_LINKS
export const NOUN_COMPLEMENTS: Words = nounPhrases.NOUN_COMPLEMENTS
export const EMPTY_NOUNS: ByLanguage = nounPhrases.EMPTY_NOUNS
export const OBJECTS_OF_VERBS: Words = nounPhrases.OBJECTS_OF_VERBS
export const PAGE_WORDS: Words = pageNumbers.PAGE_WORDS
export const PAGE_COUNT_WORDS: Words = pageNumbers.PAGE_COUNT_WORDS
export const PERSON_NOUNS: ByLanguage = people.PERSON_NOUNS
export const PLACEHOLDER_NAMES: Words = people.PLACEHOLDER_NAMES
export const QUESTION_WORDS: Readonly<Record<string, Readonly<Partial<Record<Asked, Words>>>>> =
  questions.QUESTION_WORDS
export const REFERRING_BACK: ByLanguage = references.REFERRING_BACK
export const PERSON_BEGINNINGS: ByLanguage = references.PERSON_BEGINNINGS
export const POINTING_BEGINNINGS: ByLanguage = references.POINTING_BEGINNINGS
export const GENERALITIES: ByLanguage = references.GENERALITIES
export const RELATIONSHIP_NOUNS = relationshipNouns.RELATIONSHIP_NOUNS
export const BELONGINGS = relationshipNouns.BELONGINGS
export const CALLINGS = relationshipNouns.CALLINGS
export const RELATIONSHIP_VERBS = relationshipVerbs.RELATIONSHIP_VERBS
export const SENTENCE_OPENERS: ByLanguage = sentenceOpeners.SENTENCE_OPENERS
export const SMALL_TALK: ByLanguage = smallTalk.SMALL_TALK
export const UNSPACED_SMALL_TALK = new RegExp(smallTalk.UNSPACED_SMALL_TALK, 'g')
export const LEAD_INS: ByLanguage = speechActs.LEAD_INS
export const KEEP_REQUESTS: ByLanguage = speechActs.KEEP_REQUESTS
export const STANDING_WISHES: ByLanguage = speechActs.STANDING_WISHES
export const REQUESTS: ByLanguage = speechActs.REQUESTS
export const SUPPOSITIONS: ByLanguage = speechActs.SUPPOSITIONS
export const PLEASANTRIES: ByLanguage = speechActs.PLEASANTRIES
export const ANNOUNCEMENTS: ByLanguage = speechActs.ANNOUNCEMENTS
export const THANKS: ByLanguage = speechActs.THANKS
export const ROLES: ByLanguage = speechActs.ROLES
export const MATERIAL_REQUESTS: ByLanguage = speechActs.MATERIAL_REQUESTS
export const ADDRESSING: ByLanguage = speechActs.ADDRESSING
export const ORDERS: ByLanguage = speechActs.ORDERS
export const ORDER_LEADS: ByLanguage = speechActs.ORDER_LEADS
export const NO_ORDERS: ByLanguage = speechActs.NO_ORDERS
export const PROFILE_PROPERTIES = profileProperties.PROFILE_PROPERTIES
export const SPEAKERS: ByLanguage = speechActs.SPEAKERS
export const SAME_IN_PAST: ByLanguage = speechActs.SAME_IN_PAST
export const PAST_TIMES: ByLanguage = speechActs.PAST_TIMES
export const HABITS: ByLanguage = speechActs.HABITS
export const SUGGESTIONS: ByLanguage = speechActs.SUGGESTIONS
export const NAMING_ONESELF: ByLanguage = standing.NAMING_ONESELF
export const OWN_STATE: ByLanguage = standing.OWN_STATE
export const HEALTH_AND_DIET: ByLanguage = standing.HEALTH_AND_DIET
export const ALWAYS: ByLanguage = standing.ALWAYS
export const TELLING_THE_ASSISTANT: ByLanguage = standing.TELLING_THE_ASSISTANT
export const MANNERS_OF_ANSWERS: ByLanguage = standing.MANNERS_OF_ANSWERS
export const STANDING_COURTESIES: ByLanguage = standing.STANDING_COURTESIES
export const NO_IMPERATIVES: ByLanguage = standing.NO_IMPERATIVES
export const OWN_PEOPLE: ByLanguage = statementCategories.OWN_PEOPLE
export const SUBJECT_WORDINGS: Readonly<Record<Subjects, Wordings>> = statementCategories.SUBJECT_WORDINGS
export const TALK_BEGINNINGS: ByLanguage = statementCategories.TALK_BEGINNINGS
export const ORDERS_TO_ASSISTANTS: ByLanguage = statementCategories.ORDERS_TO_ASSISTANTS
export const MOOD_SUBJECTS: ByLanguage = statementCategories.MOOD_SUBJECTS
export const MOOD_ADVERBS: Words = statementCategories.MOOD_ADVERBS
export const MOODS: ByLanguage = statementCategories.MOODS
export const CONJUNCTIONS: ByLanguage = statements.CONJUNCTIONS
export const ADJUNCT_PREPOSITIONS: Words = statements.ADJUNCT_PREPOSITIONS
export const EMPHASES: ByLanguage = statements.EMPHASES
export const POLAR_WORDS: ByLanguage = statements.POLAR_WORDS
export const KEEP_THE: Words = statements.KEEP_THE
export const CLAIMING_VERBS: Words = statements.CLAIMING_VERBS
export const CLAUSE_SUBJECTS: Words = statements.CLAUSE_SUBJECTS
export const CLAUSE_OPENERS: Words = statements.CLAUSE_OPENERS
export const ATTACHING_PREPOSITIONS: Words = statements.ATTACHING_PREPOSITIONS
export const USER_SUBJECTS: ByLanguage = subjects.USER_SUBJECTS
export const THIRD_PERSON_SUBJECTS: ByLanguage = subjects.THIRD_PERSON_SUBJECTS
export const PLURAL_SUBJECTS: ByLanguage = subjects.PLURAL_SUBJECTS
export const RELATIVE_PRONOUNS: ByLanguage = subjects.RELATIVE_PRONOUNS
export const PREDICATE_LINKS: ByLanguage = subjects.PREDICATE_LINKS
export const BEFORE_VERBS: ByLanguage = subjects.BEFORE_VERBS
export const OWN_GROUPS: Words = subjects.OWN_GROUPS
export const APPOSED_NOUNS: Words = subjects.APPOSED_NOUNS
export const POSSESSIVES_OF_USER: ByLanguage = subjects.POSSESSIVES_OF_USER
export const POSSESSIVES_OF_OTHERS: ByLanguage = subjects.POSSESSIVES_OF_OTHERS
export const RELATIVES_IN_LISTS: Words = subjects.RELATIVES_IN_LISTS
export const ADVERBIAL_CONJUNCTIONS: Words = subjects.ADVERBIAL_CONJUNCTIONS
export const SUBORDINATING_CONJUNCTIONS: Words = subjects.SUBORDINATING_CONJUNCTIONS
export const NEWS_WORDS: Words = subjects.NEWS_WORDS
export const NO_NOTE_BEGINNINGS: Words = subjects.NO_NOTE_BEGINNINGS
export const NOTE_VERBS: ByLanguage = subjects.NOTE_VERBS
export const PREPOSITIONS: ByLanguage = subjects.PREPOSITIONS
export const BEFORE_PEOPLE: Words = subjects.BEFORE_PEOPLE
export const CONJUNCTIONS_OF_PEOPLE: Words = subjects.CONJUNCTIONS_OF_PEOPLE
export const USER_COMPOUNDS: Words = subjects.USER_COMPOUNDS
export const BEFORE_USER: Words = subjects.BEFORE_USER
export const PLURAL_NOUNS: Words = subjects.PLURAL_NOUNS
export const PRONOUNS_OF_USER: Readonly<Record<string, string>> = subjects.PRONOUNS_OF_USER
export const TURNING_WORDS: ByLanguage = turningWords.TURNING_WORDS
export const NEVER_NAMES: ByLanguage = wordsNotNames.NEVER_NAMES
export const COMMON_WORDS: ByLanguage = wordsNotNames.COMMON_WORDS
export const NAMES_WITH_CAPITALS: Words = wordsNotNames.NAMES_WITH_CAPITALS
export const ABBREVIATION_LIKE_WORDS: Words = wordsNotNames.ABBREVIATION_LIKE_WORDS
