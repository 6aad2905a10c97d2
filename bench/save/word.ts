/** Each application of the bench has a copy of this file, which is the one that is saved. */
export const word = 'first'
