export {
  type Attempt,
  type Counted,
  countInCache,
  countTogether,
  createCounter,
  tooMany,
} from './limits/server.ts'
