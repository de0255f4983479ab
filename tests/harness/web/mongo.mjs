// A MongoDB server, as far as a client can tell over the wire; its data are in memory.
import { CongoServer } from '/opt/web/node_modules/@push.rocks/smartmongo/dist_ts/congodb/index.js';

const server = new CongoServer({ port: 27017 });
await server.start();
console.log('MongoDB is up');
