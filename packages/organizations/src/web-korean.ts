export { koreanWords } from './pages/words.ts'
