export { pageOf, pageQuery } from './paging/contract.ts'
