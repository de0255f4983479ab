// A Socket.IO server as most apps have one, with a namespace of its own.
import { createRequire } from 'node:module';

const { Server } = createRequire('/opt/web/')('socket.io');
const io = new Server(4000);
io.of('/chat').on('connection', socket => {
  socket.on('join', (room, done) => { socket.join(room); done({ room, members: 1 }); });
  socket.on('say', text => io.of('/chat').emit('said', { text, bytes: Buffer.from('hi') }));
});
console.log('Chat is up');
