export { type Attempt, type Counted, countInCache } from './count-attempts.ts'
export { countTogether } from './count-together.ts'
export { createCounter, tooMany } from './counter.ts'
export { LimitHits } from './limit-hits.ts'
