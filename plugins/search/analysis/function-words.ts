export { isFunctionWord } from 'mneme/plugin'
