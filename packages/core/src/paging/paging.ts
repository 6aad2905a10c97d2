export { pageOf, pageQuery } from './contract.ts'
export { type Cursor, type CursorPage, defineCursor } from './cursor.ts'
