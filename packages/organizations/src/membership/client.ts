export { isOfDomains } from './domain-rule.ts'
