export { foldWord, normalizeText } from 'mneme/plugin'
