export {
  type Attempt,
  type Counted,
  countInCache,
  countTogether,
  createCounter,
  LimitHits,
  tooMany,
} from './limits/server.ts'
