//! Kernels for graphics cards: this is where we hand tensors of the library to kernels of our own, and start them.

use crate::device::Gpu;
use burn::tensor::{DType, Shape, TensorPrimitive};
use burn_cubecl::kernel::into_contiguous_aligned;
use burn_cubecl::ops::numeric::empty_device_contiguous_dtype;
use burn_cubecl::tensor::CubeTensor;
use cubecl::cuda::CudaRuntime;

/// A tensor as the library hands it around; in kernels, `Tensor` is what is in the card's memory.
pub(crate) type Rows<const D: usize> = burn::tensor::Tensor<Gpu, D>;

/// The same without its number of axes.
pub(crate) type DeviceTensor = CubeTensor<CudaRuntime>;

/// Units that work together; a multiple of the 32 that march in step.
pub(crate) const UNITS: u32 = 256;

/// Starts a kernel with one unit for each number of each row: what it reads, what it writes, and its sizes after the
/// number of units.
macro_rules! launch {
    ($kernel:ident, $rows:expr, $width:expr, [$($read:expr),+] => [$($written:ident),+], $($size:expr),*) => {{
        let units = u32::try_from($rows * $width).expect("a batch has fewer than 2³² numbers");
        let client = [$(&$written.client),+][0].clone();
        $kernel::launch::<cubecl::cuda::CudaRuntime>(
            &client,
            cubecl::prelude::CubeCount::Static(units.div_ceil($crate::ops::cuda::UNITS), 1, 1),
            cubecl::prelude::CubeDim::new_1d($crate::ops::cuda::UNITS),
            $($read.into_tensor_arg(),)+
            $($written.clone().into_tensor_arg(),)+
            units,
            $($size),*
        )
    }};
}
pub(crate) use launch;

pub(crate) fn on_device<const D: usize>(tensor: &Rows<D>) -> DeviceTensor {
    into_contiguous_aligned(tensor.clone().into_primitive().tensor())
}

pub(crate) fn wrapped<const D: usize>(tensor: DeviceTensor) -> Rows<D> {
    Rows::from_primitive(TensorPrimitive::Float(tensor))
}

pub(crate) fn indices(indices: &burn::tensor::Tensor<Gpu, 1, burn::tensor::Int>) -> DeviceTensor {
    into_contiguous_aligned(indices.clone().into_primitive())
}

/// Room on the device of another tensor.
pub(crate) fn empty(like: &DeviceTensor, shape: [usize; 3], kind: DType) -> DeviceTensor {
    empty_device_contiguous_dtype(like.client.clone(), like.device.clone(), Shape::new(shape), kind)
}
