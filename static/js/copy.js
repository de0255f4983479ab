// Adds a button to each block of code that copies it. Without a script, or where the browser forbids it, there is none.
const SHOWN_MS = 1500;

const add = (code) => {
  const holder = document.createElement("div");
  const button = document.createElement("button");
  holder.className = "copied";
  button.className = "btn";
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it by hand";
    }
    setTimeout(() => { button.textContent = "Copy"; }, SHOWN_MS);
  });
  code.replaceWith(holder);
  holder.append(code, button);
};

if (navigator.clipboard) document.querySelectorAll("pre.code").forEach(add);
