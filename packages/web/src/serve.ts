export { type ServedWebApp, type ServedWebAppOptions, serveWebApp } from './front/serve-web-app.ts'
