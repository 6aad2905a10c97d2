export {
  type ConsolePlaces,
  CursorPager,
  consolePaths,
  ExactTime,
  Fact,
  PersonLabel,
  SearchField,
  SearchForm,
  SearchRow,
  useConsolePlaces,
} from './console/client.ts'
