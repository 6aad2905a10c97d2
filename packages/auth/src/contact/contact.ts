export { setVerifiedContact } from './change-contact.ts'
export { findUndoableOf } from './store.ts'
