export { setVerifiedContact } from './change-contact.ts'
export { findUndoableOf, isChangedSince, undoMillis, wasChangedSince } from './store.ts'
