export { koreanWords } from './words/korean-words.ts'
