export { createTestOutbox, type TestOutbox } from './testing/test-outbox.ts'
