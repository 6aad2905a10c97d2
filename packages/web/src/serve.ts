export { type ServedWebApp, type ServedWebAppOptions, serveWebApp } from './front/front.ts'
