export { primaryTag, STEMMED_LANGUAGES, type Stemmer, stemmerFor, UNDETERMINED } from 'mneme/plugin'
