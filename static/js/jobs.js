// On the lists of jobs: one box for all rows. It replaces the inline script of django-rq, which the content security
// policy forbids, and which needs parts of the admin's lists that these lists do not have.
const all = document.querySelector("#action-toggle");
const boxes = [...document.querySelectorAll("#result_list input.action-select")];

const show = () => {
  const chosen = boxes.filter((box) => box.checked).length;
  all.checked = chosen > 0 && chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
  for (const box of boxes) box.closest("tr").classList.toggle("selected", box.checked);
};

if (all) {
  all.setAttribute("aria-label", "All jobs on this page");
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const box of boxes) box.addEventListener("change", show);
  addEventListener("pageshow", show);  // the reader came back: the browser has restored the boxes
}
