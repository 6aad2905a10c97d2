export type { ErrorClass, Refusal } from './error-class.ts'
export type { Credential, MiddlewareDocuments, SecurityScheme } from './middleware-documents.ts'
export {
  boundOf,
  type ContractPlace,
  isInFile,
  type Method,
  type Operation,
  parameterNames,
  type ToolContent,
  type ToolDocument,
  type ToolTask,
  type ToolTaskState,
  type ToolWords,
} from './operation.ts'
export { type Returnable, Route, route } from './route.ts'
export { type RouteMap, type RouteMapEntry, routeMapOf } from './route-map.ts'
export { type AnyRoute, type DeviceContract, defineRouter, Router, type Routes } from './router.ts'
