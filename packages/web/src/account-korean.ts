export { koreanWords } from './account-pages/words.ts'
