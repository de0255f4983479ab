// Sends the form with its files in the background and shows how far it is. Without this script the browser sends it.
const form = document.querySelector("[data-upload]");
const shown = form.querySelector("[data-sending]");
const bar = shown.querySelector("progress");
const line = shown.querySelector("[role=status]");
const button = form.querySelector("button.primary");
const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(1);

const fail = (text) => {
  line.textContent = text;
  button.disabled = false;
};

// The server redirects to the page of the upload, or returns the form with what is wrong.
const finish = (request) => {
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  const wrong = page.querySelector("#wrong");
  if (request.status === 200 && !wrong) {
    window.location.assign(request.responseURL);
    return;
  }
  document.querySelector("#wrong")?.remove();
  if (wrong) {
    shown.hidden = true;
    form.before(wrong);
    wrong.focus();
    button.disabled = false;
  } else {
    const reason = request.responseText.slice(0, 200).replace(/<[^>]*>/g, " ").trim();
    fail(`The server refused it (${request.status}). ${reason}`);
  }
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
    if (!lengthComputable) return;
    bar.value = loaded / total;
    const sent = `${megabytes(loaded)} of ${megabytes(total)} MB sent.`;
    line.textContent = loaded < total ? sent : "Sent. The server stores it.";
  });
  request.addEventListener("load", () => finish(request));
  request.addEventListener("error", () => fail("The connection broke: try again, or send less at a time."));
  request.open("POST", form.action);
  request.send(new FormData(form));
  shown.hidden = false;
  line.textContent = "Sending.";
  button.disabled = true;
});
